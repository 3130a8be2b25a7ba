import argparse

import tensorflow as tf

CONTEXT = {"label": tf.io.FixedLenFeature([], tf.int64)}
SEQUENCE = {
    "rgb": tf.io.FixedLenSequenceFeature([], tf.string),
    "audio": tf.io.FixedLenSequenceFeature([], tf.string),
}


def dequantize(raw, size):
    values = tf.reshape(tf.io.decode_raw(raw, tf.uint8), [-1, size])
    return tf.cast(values, tf.float32) * (4.0 / 255.0) - 2.0


def parse_video(serialized):
    context, frames = tf.io.parse_single_sequence_example(
        serialized, context_features=CONTEXT, sequence_features=SEQUENCE)
    rgb = dequantize(frames["rgb"], 1024)
    audio = dequantize(frames["audio"], 128)
    return rgb, audio, context["label"]


def frames_dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE,
                          deterministic=False)
    ds = ds.shuffle(4096)
    ds = ds.map(parse_video, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(lambda rgb, audio, label: (rgb, label), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.padded_batch(batch_size, padded_shapes=([300, 1024], []), drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/yt8m/frame/train*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=128)
    args = parser.parse_args()
    model = tf.keras.Sequential([
        tf.keras.Input((300, 1024)),
        tf.keras.layers.Masking(),
        tf.keras.layers.LSTM(512),
        tf.keras.layers.Dense(3862),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(frames_dataset(args.pattern, args.batch_size), epochs=5)


if __name__ == "__main__":
    main()
