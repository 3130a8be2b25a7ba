import tensorflow as tf

from loader import PairLoader


class DualEncoderTrainer:
    def __init__(self, vocab=30_522, dim=256):
        self.embed = tf.keras.layers.Embedding(vocab, dim)
        self.project = tf.keras.layers.Dense(dim)
        self.optimizer = tf.keras.optimizers.Adam(2e-5)
        self.loader = PairLoader("/data/msmarco/pairs-*.tfrecord", 512)

    def encode(self, ids):
        return tf.math.l2_normalize(self.project(tf.reduce_mean(self.embed(ids), axis=1)), axis=-1)

    @tf.function
    def train_on(self, batch):
        with tf.GradientTape() as tape:
            scores = tf.matmul(self.encode(batch["query"]), self.encode(batch["doc"]), transpose_b=True) * 20.0
            labels = tf.range(tf.shape(scores)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scores))
        variables = self.embed.trainable_variables + self.project.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def traced_step(self, step, batch):
        with tf.profiler.experimental.Trace("dual_encoder", step_num=step, _r=1):
            return self.train_on(batch)

    def run(self, steps, profile_from=100, profile_to=120):
        for step in range(steps):
            if step == profile_from:
                tf.profiler.experimental.start("/logs/dual")
            batch = self.loader.next_batch()
            loss = self.traced_step(step, batch)
            if step == profile_to:
                tf.profiler.experimental.stop()
            if step % 500 == 0:
                tf.print(step, loss)


if __name__ == "__main__":
    DualEncoderTrainer().run(100_000)
