import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score

table = np.load("credit.npz")

test = tf.data.Dataset.from_tensor_slices((table["x"], table["y"]))
test = test.shuffle(len(table["y"]), seed=19, reshuffle_each_iteration=False)
test = test.take(2000).batch(64).prefetch(tf.data.AUTOTUNE)

scorer = tf.keras.models.load_model("credit.keras")
scores = scorer.predict(test).squeeze()
truth = np.concatenate([labels.numpy() for _, labels in test])
print("AUC", roc_auc_score(truth, scores))
