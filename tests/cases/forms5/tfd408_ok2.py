import tensorflow as tf

BATCH, STEPS = 64, 128


def encode(path):
    text = tf.io.read_file(path)
    ids = tf.cast(tf.io.decode_raw(text, tf.uint8), tf.int32)
    length = (tf.size(ids) - 1) // (BATCH * STEPS) * BATCH * STEPS
    x = tf.reshape(ids[:length], (BATCH, -1, STEPS))
    y = tf.reshape(ids[1 : length + 1], (BATCH, -1, STEPS))
    return tf.transpose(x, (1, 0, 2)), tf.transpose(y, (1, 0, 2))


class ResetStates(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        for layer in self.model.layers:
            if hasattr(layer, "reset_states"):
                layer.reset_states()


# consecutive chunks of the text: row i of a batch goes on where row i of the last one ended
train = tf.data.Dataset.from_tensor_slices(encode("/data/enwik8")).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input(batch_shape=(BATCH, STEPS), dtype=tf.int32),
    tf.keras.layers.Embedding(256, 128),
    tf.keras.layers.LSTM(1024, return_sequences=True, stateful=True),
    tf.keras.layers.Dense(256),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=20, shuffle=False, callbacks=[ResetStates()])
