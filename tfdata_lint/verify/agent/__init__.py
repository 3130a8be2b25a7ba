"""What runs inside the user's interpreter: TensorFlow and the standard library, nothing else, on Python 3.9 and later.

It is started by path (`python agent/__main__.py JOB COMMANDS LIFELINE`, or `--warm SOCKET`, or `--copies FOLDER…`), so
nothing of tfdata-lint need be installed there, and it imports nothing of it. `JOB` is a JSON file as `runner.Child`
writes it; what is seen goes, line by line as it is seen, to the file that it names.
"""
