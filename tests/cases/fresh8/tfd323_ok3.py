import collections
import random

import gymnasium as gym
import numpy as np
import tensorflow as tf


class DQN:
    def __init__(self, obs_size, actions):
        self.memory = collections.deque(maxlen=100_000)
        self.actions = actions
        self.model = tf.keras.Sequential([
            tf.keras.layers.Input((obs_size,)),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(actions),
        ])
        self.model.compile("adam", "mse")
        self.gamma, self.epsilon = 0.99, 1.0

    def act(self, obs):
        if random.random() < self.epsilon:
            return random.randrange(self.actions)
        return int(np.argmax(self.model(obs[None])[0]))

    def replay(self, batch_size=64):
        batch = zip(*random.sample(self.memory, batch_size))
        obs, action, reward, nxt, done = map(np.array, batch)
        targets = self.model.predict_on_batch(obs)
        best = self.model.predict_on_batch(nxt).max(axis=1)
        targets[np.arange(batch_size), action] = reward + self.gamma * best * ~done
        self.model.train_on_batch(obs, targets)
        self.epsilon = max(0.02, self.epsilon * 0.9995)


env = gym.make("LunarLander-v3")
agent = DQN(8, 4)
for episode in range(2000):
    obs, _ = env.reset()
    done = False
    while not done:
        action = agent.act(obs)
        nxt, reward, done, truncated, _ = env.step(action)
        agent.memory.append((obs, action, reward, nxt, done))
        obs, done = nxt, done or truncated
        if len(agent.memory) > 1000:
            agent.replay()
