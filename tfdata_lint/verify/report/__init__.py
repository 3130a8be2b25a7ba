"""What was verified, told: in the terminal, as JSON, as a page of HTML."""
