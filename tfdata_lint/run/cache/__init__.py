"""What is known of files since an earlier run."""
