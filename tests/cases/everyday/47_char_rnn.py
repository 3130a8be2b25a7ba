import os
import time

import tensorflow as tf

text = open("data/shakespeare.txt", "rb").read().decode(encoding="utf-8")
vocab = sorted(set(text))

ids_from_chars = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant(vocab), tf.range(1, len(vocab) + 1)), default_value=0
)
all_ids = ids_from_chars.lookup(tf.strings.unicode_split(text, "UTF-8"))

seq_length = 100
BATCH_SIZE = 64
BUFFER_SIZE = 10000


def split_input_target(sequence):
    return sequence[:-1], sequence[1:]


ids_dataset = tf.data.Dataset.from_tensor_slices(all_ids)
sequences = ids_dataset.batch(seq_length + 1, drop_remainder=True)
dataset = sequences.map(split_input_target)
dataset = dataset.shuffle(BUFFER_SIZE).batch(BATCH_SIZE, drop_remainder=True)


class CharModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim=256, rnn_units=1024):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(rnn_units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False, training=False):
        x, states = self.gru(self.embedding(inputs), initial_state=states, training=training)
        x = self.dense(x, training=training)
        return (x, states) if return_state else x


model = CharModel(len(vocab) + 1)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
mean = tf.keras.metrics.Mean()


@tf.function
def train_step(inputs, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(inputs, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(20):
    start = time.time()
    mean.reset_state()
    for batch_n, (inp, target) in enumerate(dataset):
        loss = train_step(inp, target)
        mean.update_state(loss)
        if batch_n % 50 == 0:
            print(f"Epoch {epoch + 1} Batch {batch_n} Loss {loss:.4f}")
    print(f"Epoch {epoch + 1} Loss: {mean.result().numpy():.4f}, {time.time() - start:.2f} sec")
    if (epoch + 1) % 5 == 0:
        model.save_weights(os.path.join("training_checkpoints", f"ckpt_{epoch + 1}"))
