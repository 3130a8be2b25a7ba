# %% [markdown]
# RSNA-style chest X-rays, DenseNet121
# %%
import cv2
import numpy as np
import pandas as pd
import tensorflow as tf

IMG = 320
BS = 24
TRAIN_DIR = "/kaggle/input/chest-xrays/train"

df = pd.read_csv("/kaggle/input/chest-xrays/train.csv")
LABELS = [c for c in df.columns if c != "image_id"]


# %%
class XrayFrames:
    def __init__(self, frame, shuffle=True):
        self.frame = frame.reset_index(drop=True)
        self.shuffle = shuffle

    def __len__(self):
        return len(self.frame)

    def __call__(self):
        order = np.random.permutation(len(self)) if self.shuffle else np.arange(len(self))
        for i in order:
            row = self.frame.loc[i]
            img = cv2.imread(f"{TRAIN_DIR}/{row.image_id}.jpg", cv2.IMREAD_GRAYSCALE)
            img = cv2.resize(img, (IMG, IMG), interpolation=cv2.INTER_AREA)
            img = np.repeat(img[..., None], 3, axis=-1).astype("float32") / 255.0
            yield img, row[LABELS].to_numpy("float32")

    def dataset(self):
        sig = (tf.TensorSpec((IMG, IMG, 3), tf.float32), tf.TensorSpec((len(LABELS),), tf.float32))
        ds = tf.data.Dataset.from_generator(self, output_signature=sig)
        return ds.batch(BS).prefetch(tf.data.AUTOTUNE)


# %%
holdout = df.sample(frac=0.1, random_state=0)
train_ds = XrayFrames(df.drop(holdout.index)).dataset()
valid_ds = XrayFrames(holdout, shuffle=False).dataset()

# %%
net = tf.keras.applications.DenseNet121(include_top=False, pooling="avg", input_shape=(IMG, IMG, 3))
model = tf.keras.Sequential([net, tf.keras.layers.Dense(len(LABELS), activation="sigmoid")])
model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.AUC(multi_label=True)])
model.fit(train_ds, validation_data=valid_ds, epochs=10)
