import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ["KERAS_BACKEND"] = "torch"

SIDE = 96
BATCH = 64
TEACHER = "/models/teacher.keras"
PATTERN = "/data/stl/*.tfrecord"
