"""Code for the machines of a cluster: tasks, sites, and the process that Dask starts."""
