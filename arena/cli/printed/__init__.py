"""The output of the bots of `arena match`: shown as it comes, kept in files, told of at the end."""
