import tensorflow as tf

SPEC = {"image": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_png(ex["image"], channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, ex["label"]


def build(files, batch_size, done_steps):
    ds = tf.data.TFRecordDataset(files)
    ds = ds.shuffle(10000, seed=1)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.skip(done_steps)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.models.load_model("ckpt/last.keras")
    done = int(model.optimizer.iterations)
    files = sorted(tf.io.gfile.glob("train-*.tfrecord"))
    model.fit(build(files, 64, done))
    model.save("ckpt/last.keras")


if __name__ == "__main__":
    main()
