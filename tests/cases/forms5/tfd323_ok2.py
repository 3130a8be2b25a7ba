import collections

import gymnasium as gym
import numpy as np
import tensorflow as tf

env = gym.make("LunarLander-v3")
actor = tf.keras.Sequential([
    tf.keras.layers.Input((8,)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(4),
])
optimizer = tf.keras.optimizers.Adam(3e-4)
Episode = collections.namedtuple("Episode", "obs actions returns")


@tf.function
def act(obs):
    return tf.random.categorical(actor(obs), 1)[0, 0]


@tf.function(reduce_retracing=True)
def update(obs, actions, returns):
    with tf.GradientTape() as tape:
        logp = -tf.nn.sparse_softmax_cross_entropy_with_logits(actions, actor(obs))
        loss = -tf.reduce_mean(logp * returns)
    grads = tape.gradient(loss, actor.trainable_variables)
    optimizer.apply_gradients(zip(grads, actor.trainable_variables))


def rollout(gamma=0.99):
    obs, _ = env.reset()
    states, actions, rewards, done = [], [], [], False
    while not done:
        action = int(act(tf.constant(obs[None], tf.float32)))
        states.append(obs)
        actions.append(action)
        obs, reward, terminated, truncated, _ = env.step(action)
        rewards.append(reward)
        done = terminated or truncated
    returns = [sum(r * gamma**k for k, r in enumerate(rewards[t:])) for t in range(len(rewards))]
    return Episode(np.array(states, np.float32), np.array(actions), np.array(returns, np.float32))


for _ in range(5000):
    episode = rollout()
    update(*map(tf.constant, episode))
