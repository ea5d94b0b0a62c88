"""Scripts that write files of the repository; each has a test that the file is current."""
