"""The league: who plays whom, and what the results say about them."""
