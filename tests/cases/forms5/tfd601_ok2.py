import tensorflow as tf

from data import list_clips


def spectrogram(path, label):
    audio, _ = tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)
    frames = tf.signal.stft(audio[:16000, 0], 400, 160)
    mel = tf.signal.linear_to_mel_weight_matrix(64, 257, 16000)
    log_mel = tf.math.log(tf.abs(frames) @ mel + 1e-6)
    return tf.ensure_shape(log_mel, (98, 64)), label


def time_major(x, y):
    return tf.transpose(x, (1, 0, 2)), y


class Recognizer(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.cell = tf.keras.layers.GRUCell(128)
        self.head = tf.keras.layers.Dense(classes)

    def call(self, x):
        state = tf.zeros((tf.shape(x)[1], 128))
        for frame in tf.unstack(x, num=98):
            _, state = self.cell(frame, state)
        return self.head(state)


paths, labels = list_clips("/data/speech_commands/train")
train = (
    tf.data.Dataset.from_tensor_slices((paths, labels))
    .shuffle(len(paths))
    .map(spectrogram, num_parallel_calls=tf.data.AUTOTUNE)
    .batch(64, drop_remainder=True)
    .map(time_major)
    .prefetch(tf.data.AUTOTUNE)
)
model, optimizer = Recognizer(35), tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(30):
    for x, y in train:
        loss = step(x, y)
    print(epoch, float(loss))
