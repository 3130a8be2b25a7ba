import argparse

import tensorflow as tf


def read(path_image, path_depth):
    image = tf.io.decode_jpeg(tf.io.read_file(path_image), channels=3)
    depth = tf.io.decode_png(tf.io.read_file(path_depth), dtype=tf.uint16)
    image = tf.image.resize(image, [240, 320]) / 255.0
    depth = tf.image.resize(tf.cast(depth, tf.float32), [120, 160]) / 10_000.0
    return image, depth


def nyu(batch_size):
    images = sorted(tf.io.gfile.glob("/data/nyu/rgb/*.jpg"))
    depths = sorted(tf.io.gfile.glob("/data/nyu/depth/*.png"))
    ds = tf.data.Dataset.from_tensor_slices((images, depths)).shuffle(len(images))
    ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def build():
    base = tf.keras.applications.DenseNet121(include_top=False, input_shape=(240, 320, 3))
    x = tf.keras.layers.Conv2D(256, 1)(base.output)
    x = tf.keras.layers.Resizing(120, 160)(x)
    x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(base.input, tf.keras.layers.Conv2D(1, 3, padding="same")(x))


def main(args):
    strategy = tf.distribute.MirroredStrategy()
    global_batch = args.batch_size * strategy.num_replicas_in_sync
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam(1e-4)

    def replica_step(inputs):
        image, depth = inputs
        with tf.GradientTape() as tape:
            error = tf.abs(model(image, training=True) - depth)
            loss = tf.reduce_sum(tf.reduce_mean(error, [1, 2, 3])) / global_batch
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    train = strategy.experimental_distribute_dataset(nyu(global_batch))
    for epoch in range(args.epochs):
        total = 0.0
        for batch in train:
            losses = strategy.run(replica_step, args=(batch,))
            total += strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)
        print(epoch, float(total))
        model.save_weights(f"depth_{epoch}.weights.h5")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=25)
    main(parser.parse_args())
