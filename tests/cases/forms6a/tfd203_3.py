import time

import tensorflow as tf


def with_age(clock):
    def decorate(fn):
        def wrapper(line):
            features, label = fn(line)
            age = (clock() - features.pop("created")) / 3600.0
            features["age_hours"] = tf.cast(age, tf.float32)
            return features, label
        return wrapper
    return decorate


@with_age(time.time)
def parse_event(line):
    defaults = [[0], [0], tf.constant([0.0], tf.float64), [0.0]]
    user, item, created, clicked = tf.io.decode_csv(line, defaults)
    return {"user": user, "item": item, "created": created}, clicked


def stream(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    lines = files.interleave(
        tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    lines = lines.shuffle(50_000)
    events = lines.map(parse_event, num_parallel_calls=tf.data.AUTOTUNE)
    return events.batch(batch_size).prefetch(tf.data.AUTOTUNE)


class TwoTower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.user = tf.keras.layers.Embedding(500_000, 32)
        self.item = tf.keras.layers.Embedding(100_000, 32)
        self.head = tf.keras.layers.Dense(1)

    def call(self, features):
        age = tf.math.log1p(features["age_hours"])[:, None]
        both = [self.user(features["user"]), self.item(features["item"]), age]
        return self.head(tf.concat(both, axis=-1))


def main():
    # The service trains for days on the click stream.
    model = TwoTower()
    optimizer = tf.keras.optimizers.Adagrad(0.05)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)[:, 0]
            loss = tf.reduce_mean(
                tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for epoch in range(20):
        for x, y in stream("/logs/clicks/*.csv", 4096):
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
