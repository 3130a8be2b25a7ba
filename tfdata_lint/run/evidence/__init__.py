"""What was measured, in files: read, remembered, brought to findings, compared. Nothing here runs anything."""
