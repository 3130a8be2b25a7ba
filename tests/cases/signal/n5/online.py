import reverb
import tensorflow as tf


def online(address, size):
    dataset = reverb.TrajectoryDataset.from_table_signature(
        server_address=address, table="queue", max_in_flight_samples_per_worker=1
    )
    dataset = dataset.batch(size, drop_remainder=True)
    return dataset.as_numpy_iterator()


def count(path):
    return sum(1 for _ in tf.data.TFRecordDataset(path))
