import pandas as pd
import tensorflow as tf
from sklearn.utils import shuffle

df_train_val = pd.read_csv("file_index.csv")
train_id = df_train_val.index[df_train_val["split"] == "train"].tolist()


def train_data():
    while True:
        for i in shuffle(train_id):
            df = pd.read_pickle(df_train_val["file_name"].iloc[i], compression="gzip")
            feature = df.to_numpy().reshape(df.shape[0], -1)
            yield feature.reshape(-1, 56), feature.reshape(-1, 56)


gn = tf.data.Dataset.from_generator(
    train_data,
    output_types=(tf.float32, tf.float32),
    output_shapes=((None, 56), (None, 56)),
).prefetch(tf.data.AUTOTUNE)


def auto_encoder():
    return tf.keras.Sequential([
        tf.keras.layers.Input((56,)),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(56),
    ])


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = auto_encoder()
    model.compile(optimizer="adam", loss="mse")

model.fit(gn, epochs=20, steps_per_epoch=len(train_id))
