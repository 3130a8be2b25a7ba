import functools

import tensorflow as tf

PARAMS = {
    "pattern": "/data/openimages/train-*.tfrecord",
    "batch_size": 128,
    "threads": {"read": tf.data.AUTOTUNE, "preprocess": 10},
}


def parse(serialized, size):
    ex = tf.io.parse_single_example(serialized, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    return tf.image.resize(image, [size, size]) / 255.0, ex["label"]


def get_dataset(params):
    threads = params["threads"]
    ds = tf.data.Dataset.list_files(params["pattern"])
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=threads["read"], deterministic=False)
    ds = ds.shuffle(30000)
    ds = ds.map(functools.partial(parse, size=224),
                num_parallel_calls=threads["preprocess"])
    ds = ds.batch(params["batch_size"], drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.applications.ResNet50(weights=None, classes=600)
    opt = tf.keras.optimizers.SGD(0.1, momentum=0.9)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    ds = get_dataset(PARAMS)
    for epoch in range(20):
        for x, y in ds:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
