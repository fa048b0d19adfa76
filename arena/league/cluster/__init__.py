"""Sets of a league played on other machines by Dask: the runner's side."""
