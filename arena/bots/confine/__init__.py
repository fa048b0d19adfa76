"""What a started bot may see, use and reach, and how this machine enforces it."""
