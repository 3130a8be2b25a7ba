"""Keyword spotting on Speech Commands (105k clips of one second)."""
import tensorflow as tf
import tensorflow_datasets as tfds


class KeywordData:
    frame_length, frame_step, bins = 640, 320, 40

    def __init__(self, batch_size=256):
        self.batch_size = batch_size
        self.mel = tf.signal.linear_to_mel_weight_matrix(self.bins, 513, 16000, 20.0, 7800.0)

    def pad(self, example):
        audio = tf.cast(example["audio"], tf.float32) / 32768.0
        audio = audio[:16000]
        return tf.pad(audio, [[0, 16000 - tf.shape(audio)[0]]]), example["label"]

    def log_mel(self, audio, label):
        stft = tf.signal.stft(audio, self.frame_length, self.frame_step, fft_length=1024)
        power = tf.square(tf.abs(stft))
        return tf.math.log(tf.matmul(power, self.mel) + 1e-6), label

    def load(self, split):
        ds = tfds.load("speech_commands", split=split, shuffle_files=(split == "train"))
        ds = ds.map(self.pad, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        if split == "train":
            ds = ds.shuffle(20_000)
        ds = ds.batch(self.batch_size)
        ds = ds.map(self.log_mel, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def train(epochs=60):
    data = KeywordData()
    train_ds = data.load("train")
    model = tf.keras.Sequential([
        tf.keras.layers.Reshape((49, 40, 1)),
        tf.keras.layers.Conv2D(64, (10, 4), strides=(2, 2), activation="relu"),
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(12),
    ])
    optimizer = tf.keras.optimizers.Adam(1e-3)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(epochs):
        for x, y in train_ds:
            loss = step(x, y)
        print(f"{epoch}: {loss.numpy():.3f}")
    model.save("kws.keras")


if __name__ == "__main__":
    train()
