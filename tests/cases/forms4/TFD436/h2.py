import tensorflow as tf

FRAME = {"jpeg": tf.io.FixedLenFeature([], tf.string)}


def decode(record):
    jpeg = tf.io.parse_single_example(record, FRAME)["jpeg"]
    image = tf.io.decode_jpeg(jpeg, channels=3)
    return tf.image.resize(image, (64, 64)) / 255.0


def frame_pairs(file, batch_size=32):
    frames = tf.data.TFRecordDataset(file)
    frames = frames.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    pairs = tf.data.Dataset.zip((frames, frames.skip(1)))
    return pairs.shuffle(500).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((64, 64, 3)),
        tf.keras.layers.Conv2D(32, 5, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(3, 5, padding="same", activation="sigmoid"),
    ])
    model.compile("adam", "mse")
    model.fit(frame_pairs("videos/crossing.tfrecord"), epochs=10)


if __name__ == "__main__":
    main()
