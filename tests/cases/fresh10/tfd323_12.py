# Kaggle: cassava leaf disease, inference notebook exported to a script
import os

import cv2
import numpy as np
import pandas as pd
import tensorflow as tf
from tqdm import tqdm

COMP = "/kaggle/input/cassava-leaf-disease-classification"


class CFG:
    size = 512
    weights = "/kaggle/input/cassava-weights/effb4_fold0.h5"
    tta = 4


def load_image(path, size=CFG.size):
    img = cv2.imread(path)[:, :, ::-1]
    img = cv2.resize(img, (size, size))
    return img.astype("float32")


class Submitter:
    def __init__(self, weights):
        base = tf.keras.applications.EfficientNetB4(
            include_top=False, weights=None, pooling="avg",
            input_shape=(CFG.size, CFG.size, 3))
        head = tf.keras.layers.Dense(5, activation="softmax")(base.output)
        self.net = tf.keras.Model(base.input, head)
        self.net.load_weights(weights)

    def predict_one(self, image_id):
        img = load_image(os.path.join(COMP, "test_images", image_id))
        batch = np.expand_dims(img, axis=0)
        return self.net.predict(batch, verbose=0)[0]

    def run(self, table):
        labels = []
        for image_id in tqdm(table["image_id"]):
            probs = self.predict_one(image_id)
            labels.append(int(np.argmax(probs)))
        table["label"] = labels
        return table


if __name__ == "__main__":
    # ~15k hidden images
    sub = pd.read_csv(os.path.join(COMP, "sample_submission.csv"))
    sub = Submitter(CFG.weights).run(sub)
    sub[["image_id", "label"]].to_csv("submission.csv", index=False)
