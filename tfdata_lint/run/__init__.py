"""Many files: which ones, by whom they are linted, what is known of them from before."""
