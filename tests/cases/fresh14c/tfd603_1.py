import numpy as np
import tensorflow as tf

LENGTH = 128
SPEC = {
    "input_ids": tf.io.FixedLenFeature([LENGTH], tf.int64),
    "tag_ids": tf.io.FixedLenFeature([LENGTH], tf.int64),
}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return ex["input_ids"], ex["tag_ids"]


def dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(10_000).batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class Tagger(tf.keras.Model):
    def __init__(self, vocabulary, tags):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocabulary, 128)
        self.encoder = tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128, return_sequences=True))
        self.logits = tf.keras.layers.Dense(tags)

    def call(self, ids, training=False):
        return self.logits(self.encoder(self.embedding(ids), training=training))


model = Tagger(30_000, 17)
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(ids, tags):
    with tf.GradientTape() as tape:
        logits = model(ids, training=True)
        loss = loss_fn(tags, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    accuracy.update_state(tags, logits)
    return loss


def main(epochs=5):
    train = dataset("ner/train-*.tfrecord", 64)
    history = []
    for epoch in range(epochs):
        accuracy.reset_state()
        for step, (ids, tags) in enumerate(train):
            loss = train_step(ids, tags)
            history.append(loss.numpy())
            print(f"epoch {epoch} step {step} loss {history[-1]:.4f} acc {float(accuracy.result()):.4f}")
    np.save("ner_history.npy", np.array(history))
    model.save_weights("tagger.weights.h5")


if __name__ == "__main__":
    main()
