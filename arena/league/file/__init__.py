"""Read and check league.toml, and keep the files of tokens beside the league."""
