import tensorflow as tf


class RatingStore:
    def __init__(self, path):
        self.path = path

    def save(self, ratings):
        with tf.io.TFRecordWriter(self.path) as writer:
            for user, movie, stars in ratings:
                example = tf.train.Example(features=tf.train.Features(feature={
                    "user": tf.train.Feature(int64_list=tf.train.Int64List(value=[user])),
                    "movie": tf.train.Feature(int64_list=tf.train.Int64List(value=[movie])),
                    "stars": tf.train.Feature(float_list=tf.train.FloatList(value=[stars])),
                }))
                writer.write(example.SerializeToString())

    def parse(self, record):
        return tf.io.parse_single_example(record, {
            "user": tf.io.FixedLenFeature([], tf.int64),
            "movie": tf.io.FixedLenFeature([], tf.int64),
            "stars": tf.io.FixedLenFeature([], tf.int64),
        })

    def load(self, batch_size=32):
        ds = tf.data.TFRecordDataset(self.path).shuffle(1000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


store = RatingStore("ratings.tfrecord")
store.save([(1, 10, 3.5), (1, 12, 4.0), (2, 10, 1.5), (3, 11, 5.0)])
for batch in store.load():
    print(batch["user"], batch["stars"])
