import argparse
import functools

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def read_shard(compression, path):
    return tf.data.TFRecordDataset(path, compression, 8 << 20)


def parse_clip(frames, raw):
    _, seq = tf.io.parse_single_sequence_example(
        raw, sequence_features={"frame": tf.io.FixedLenSequenceFeature([], tf.string)})
    start = tf.random.uniform([], 0, tf.maximum(tf.shape(seq["frame"])[0] - frames, 1), tf.int32)
    window = seq["frame"][start:start + frames]
    clip = tf.map_fn(lambda b: tf.io.decode_jpeg(b, channels=3), window, fn_output_signature=tf.uint8)
    return tf.image.resize(tf.cast(clip, tf.float32) / 255.0, (112, 112))


def clips(args):
    files = tf.data.Dataset.list_files(args.pattern)
    ds = files.interleave(functools.partial(read_shard, "ZLIB"), 16, 1, AUTO)
    ds = ds.shuffle(1000).repeat()
    ds = ds.map(functools.partial(parse_clip, args.frames), AUTO)
    return ds.batch(args.batch, True).prefetch(AUTO)


def autoencoder(frames):
    layers = tf.keras.layers
    inp = tf.keras.Input((frames, 112, 112, 3))
    x = inp
    for f in (32, 64, 128):
        x = layers.Conv3D(f, 3, strides=2, padding="same", activation="relu")(x)
    for f in (64, 32, 16):
        x = layers.Conv3DTranspose(f, 3, strides=2, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, layers.Conv3D(3, 1, activation="sigmoid")(x))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--pattern", default="/data/kinetics/train-*")
    p.add_argument("--frames", type=int, default=16)
    p.add_argument("--batch", type=int, default=32)
    args = p.parse_args()
    model, opt = autoencoder(args.frames), tf.keras.optimizers.Adam(2e-4)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for i, clip in enumerate(clips(args).take(100_000)):
        loss = step(clip)
        if i % 1000 == 0:
            tf.print(i, loss)


if __name__ == "__main__":
    main()
