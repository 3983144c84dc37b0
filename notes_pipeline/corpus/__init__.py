"""Many partitions -> one corpus: order, duplicates, laws, and its atomic publication."""
