SHARDS = [f"gs://sensor-data/part-{i:03d}.tfrecord" for i in range(50)]


def training_files():
    return SHARDS[:45]


def evaluation_files():
    return SHARDS[-10:]
