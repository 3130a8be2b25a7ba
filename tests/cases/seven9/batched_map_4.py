"""Offline DQN on the DQN Replay Dataset (RLU Atari)."""
from absl import app, flags
import tensorflow as tf
import tensorflow_datasets as tfds

FLAGS = flags.FLAGS
flags.DEFINE_string('game', 'Pong', 'Atari game')
flags.DEFINE_integer('run', 1, 'replay run')
flags.DEFINE_integer('batch_size', 256, '')
flags.DEFINE_integer('updates', 1_000_000, '')
flags.DEFINE_float('discount', 0.99, '')
flags.DEFINE_integer('target_period', 2500, '')


def episode_to_transitions(episode):
    steps = episode['steps'].batch(2, drop_remainder=True)
    return steps.map(lambda s: {
        'o': s['observation'][0], 'a': s['action'][0], 'r': s['reward'][0],
        'd': s['discount'][0], 'o2': s['observation'][1]})


def normalise(t):
    return {
        'o': tf.cast(t['o'], tf.float32) / 255.0,
        'o2': tf.cast(t['o2'], tf.float32) / 255.0,
        'a': tf.cast(t['a'], tf.int32),
        'r': tf.clip_by_value(t['r'], -1.0, 1.0),
        'd': t['d'] * FLAGS.discount,
    }


def replay_iterator():
    ds = tfds.load(f'rlu_atari/{FLAGS.game}_run_{FLAGS.run}', split='train',
                   shuffle_files=True)
    ds = ds.interleave(episode_to_transitions, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE,
                       deterministic=False)
    ds = ds.repeat().shuffle(100_000)
    ds = (ds.map(normalise, num_parallel_calls=tf.data.AUTOTUNE)
          .batch(FLAGS.batch_size, drop_remainder=True))
    return iter(ds.prefetch(4))


def q_network(num_actions=18):
    return tf.keras.Sequential([
        tf.keras.layers.Input((84, 84, 1)),
        tf.keras.layers.Conv2D(32, 8, 4, activation='relu'),
        tf.keras.layers.Conv2D(64, 4, 2, activation='relu'),
        tf.keras.layers.Conv2D(64, 3, 1, activation='relu'),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation='relu'),
        tf.keras.layers.Dense(num_actions)])


def main(_):
    q, target = q_network(), q_network()
    opt = tf.keras.optimizers.Adam(6.25e-5, epsilon=1.5e-4)

    @tf.function
    def update(b):
        nxt = tf.reduce_max(target(b['o2']), axis=-1)
        y = b['r'] + b['d'] * nxt
        with tf.GradientTape() as tape:
            qa = tf.gather(q(b['o']), b['a'], batch_dims=1)
            loss = tf.reduce_mean(tf.keras.losses.huber(y[:, None], qa[:, None]))
        grads = tape.gradient(loss, q.trainable_variables)
        opt.apply_gradients(zip(grads, q.trainable_variables))
        return loss

    it = replay_iterator()
    for i in range(FLAGS.updates):
        loss = update(next(it))
        if i % FLAGS.target_period == 0:
            target.set_weights(q.get_weights())
            print(i, float(loss))


if __name__ == '__main__':
    app.run(main)
