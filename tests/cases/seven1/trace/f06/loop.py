import tensorflow as tf

from input_data import batches


def fit(model, config):
    optimizer = tf.keras.optimizers.Adam(config["lr"])
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step_fn(tokens, label):
        with tf.GradientTape() as tape:
            loss = loss_fn(label, model(tokens, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    data_iter = iter(batches(config["pattern"], config["batch_size"]))
    with tf.profiler.experimental.Profile(config["logdir"]):
        for step in tf.range(config["steps"]):
            tokens, label = data_iter.get_next()
            with tf.profiler.experimental.Trace("train", step_num=int(step), _r=1):
                step_fn(tokens, label)


if __name__ == "__main__":
    classifier = tf.keras.Sequential([
        tf.keras.layers.Embedding(30_000, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
        tf.keras.layers.Dense(5),
    ])
    fit(classifier, {"lr": 1e-3, "pattern": "/data/reviews/*.tfrecord", "batch_size": 256, "steps": 1000, "logdir": "/tmp/tb"})
