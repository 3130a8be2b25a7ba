import tensorflow as tf

SEQUENCE_LENGTH = 16
BATCH = 64
TRAIN_STEPS = 1000
FEATURES = ("callee_basic_block_count", "caller_users", "nr_ctant_params", "cost_estimate")


def parse_sequence(serialized):
    spec = {name: tf.io.FixedLenSequenceFeature([], tf.int64) for name in FEATURES}
    spec["inlining_decision"] = tf.io.FixedLenSequenceFeature([], tf.int64)
    spec["reward"] = tf.io.FixedLenSequenceFeature([], tf.float32)
    _, parsed = tf.io.parse_single_sequence_example(serialized, sequence_features=spec)
    state = tf.stack([tf.math.log1p(tf.cast(parsed[name], tf.float32)) for name in FEATURES], axis=-1)
    return state, parsed["inlining_decision"], parsed["reward"]


def windows(state, action, reward):
    ds = tf.data.Dataset.from_tensor_slices((state, action, reward))
    return ds.batch(SEQUENCE_LENGTH, drop_remainder=True)


def dataset_fn(sequence_examples):
    """The examples of one round of data collection, a few hundred strings."""
    ds = tf.data.Dataset.from_tensor_slices(sequence_examples)
    ds = ds.map(parse_sequence, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.flat_map(windows)
    ds = ds.shuffle(4096)
    return ds.batch(BATCH, drop_remainder=True)


class Trainer:
    def __init__(self):
        self.policy = tf.keras.Sequential([
            tf.keras.Input((SEQUENCE_LENGTH, len(FEATURES))),
            tf.keras.layers.Dense(40, activation="relu"),
            tf.keras.layers.Dense(2),
        ])
        self.optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(self, state, action, reward):
        with tf.GradientTape() as tape:
            logits = self.policy(state)
            nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=action, logits=logits)
            loss = tf.reduce_mean(nll * reward)
        grads = tape.gradient(loss, self.policy.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.policy.trainable_variables))
        return loss

    def train(self, sequence_examples):
        iterator = iter(dataset_fn(sequence_examples).repeat().prefetch(tf.data.AUTOTUNE))
        for i in range(TRAIN_STEPS):
            loss = self.step(*next(iterator))
            if i % 100 == 0:
                print(i, float(loss))


if __name__ == "__main__":
    from collect import collect_round

    trainer = Trainer()
    for round_number in range(50):
        trainer.train(collect_round(trainer.policy, round_number))
