import glob

import h5py
import tensorflow as tf

SHARDS = sorted(glob.glob("/data/jets/train_*.h5"))
SIGNATURE = {"particles": tf.TensorSpec((128, 16), tf.float32), "is_top": tf.TensorSpec((), tf.float32)}


def jets(shard):
    with h5py.File(SHARDS[shard], "r") as handle:
        particles, truth = handle["particles"], handle["is_top"]
        for row in range(len(truth)):
            yield {"particles": particles[row], "is_top": truth[row]}


dataset = (
    tf.data.Dataset.range(len(SHARDS))
    .shuffle(len(SHARDS))
    .interleave(lambda shard: tf.data.Dataset.from_generator(jets, args=(shard,), output_signature=SIGNATURE),
                cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    .shuffle(30_000)
    .batch(512, drop_remainder=True)
    .prefetch(tf.data.AUTOTUNE)
)


class ParticleNet(tf.keras.Model):
    def __init__(self, width=128, depth=4):
        super().__init__()
        self.lift = tf.keras.layers.Dense(width)
        self.attend = [tf.keras.layers.MultiHeadAttention(8, width // 8) for _ in range(depth)]
        self.norms = [tf.keras.layers.LayerNormalization() for _ in range(depth)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, particles):
        x = self.lift(particles)
        for attend, norm in zip(self.attend, self.norms):
            x = norm(x + attend(x, x))
        return self.head(tf.reduce_mean(x, axis=1))[:, 0]


net = ParticleNet()
optimizer = tf.keras.optimizers.AdamW(5e-4)


@tf.function
def learn(batch):
    with tf.GradientTape() as tape:
        logits = net(batch["particles"], training=True)
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(batch["is_top"], logits))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


for epoch in range(20):
    for batch in dataset:
        loss = learn(batch)
    print(epoch, loss.numpy())
