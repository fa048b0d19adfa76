"""Judging the decisions of a recorded match by imagined worlds and playouts (`arena judge`)."""
