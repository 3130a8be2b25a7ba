import tensorflow as tf

from data import test_set

model = tf.keras.models.load_model("sentiment.keras")
confusion = [[0, 0], [0, 0]]
for item in test_set("reviews-test-*.rec"):
    logits = model(tf.reshape(item["ids"], (1, -1)))
    guess = int(logits[0, 0] > 0)
    confusion[int(item["label"])][guess] += 1

total = sum(map(sum, confusion))
print("accuracy", (confusion[0][0] + confusion[1][1]) / total)
print(confusion)
