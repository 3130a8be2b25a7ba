"""Image captioning decoder training (attention), notebook style."""
import numpy as np
import tensorflow as tf
from tqdm import tqdm

FEATURES = np.load("coco_features_index.npy", allow_pickle=True).item()
captions = np.load("coco_captions.npy")
keys = np.array(sorted(FEATURES))
paths = np.array([FEATURES[k] for k in keys])

BATCH = 64
EPOCHS = 20
VOCAB = 5001


def load(path, cap):
    raw = tf.io.decode_raw(tf.io.read_file(path), tf.float32)
    return tf.reshape(raw, [64, 2048]), cap


ds = (
    tf.data.Dataset.from_tensor_slices((paths, captions))
    .shuffle(20_000)
    .map(load, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(BATCH, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)


class Decoder(tf.keras.Model):
    def __init__(self, width=512):
        super().__init__()
        self.project = tf.keras.layers.Dense(width, activation="relu")
        self.embed = tf.keras.layers.Embedding(VOCAB, width)
        self.attend = tf.keras.layers.MultiHeadAttention(8, width // 8)
        self.gru = tf.keras.layers.GRU(width, return_sequences=True)
        self.out = tf.keras.layers.Dense(VOCAB)

    def call(self, img, tokens):
        img = self.project(img)
        x = self.embed(tokens)
        return self.out(self.gru(x + self.attend(x, img)))


decoder = Decoder()
optimizer = tf.keras.optimizers.Adam()
ce = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(img, cap):
    with tf.GradientTape() as tape:
        logits = decoder(img, cap[:, :-1])
        mask = tf.cast(cap[:, 1:] != 0, tf.float32)
        loss = tf.reduce_sum(ce(cap[:, 1:], logits) * mask) / tf.reduce_sum(mask)
    grads = tape.gradient(loss, decoder.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 5.0)
    optimizer.apply_gradients(zip(grads, decoder.trainable_variables))
    return loss, norm


loss_plot = []
for epoch in range(EPOCHS):
    bar = tqdm(ds, desc=f"epoch {epoch}")
    for img, cap in bar:
        loss, norm = train_step(img, cap)
        loss_plot.append(loss.numpy())
        bar.set_postfix(loss=f"{loss.numpy():.3f}", norm=f"{norm.numpy():.2f}")
np.save("loss_plot.npy", np.array(loss_plot))
