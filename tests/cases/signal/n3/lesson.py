import tensorflow as tf

# The wrong way:
ds = tf.data.Dataset.range(15)
ds = ds.shuffle(15, reshuffle_each_iteration=True)
ds_train = ds.take(10)
ds_test = ds.skip(10)
seen = set()
for item in ds_train.repeat(3):
    seen.add(item.numpy())
left = set()
for item in ds_test.repeat(3):
    left.add(item.numpy())
print(seen, left)
