"""From complete sets to the table: counting, benching, ratings, standings."""
