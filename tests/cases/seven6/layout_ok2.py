import argparse

import tensorflow as tf
import torch
import torchvision

tf.config.set_visible_devices([], "GPU")


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "dish": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    image = tf.image.resize(image, (256, 256))
    image = tf.image.random_crop(image, (224, 224, 3))
    return tf.image.random_flip_left_right(image), ex["dish"]


def for_torch(images, labels):
    """PyTorch's layers take (N, C, H, W)."""
    images = (images / 255.0 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    return tf.transpose(images, [0, 3, 1, 2]), labels


def loader(pattern, batch_size):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(8192)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch_size, drop_remainder=True)
    ds = ds.map(for_torch, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pattern", default="/data/dishes/train-*.tfrecord")
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    model = torchvision.models.resnet50(num_classes=251).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = torch.nn.CrossEntropyLoss()
    data = loader(args.pattern, args.batch_size)
    for epoch in range(args.epochs):
        for images, labels in data.as_numpy_iterator():
            x = torch.from_numpy(images).cuda(non_blocking=True)
            y = torch.from_numpy(labels).cuda(non_blocking=True)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())
        torch.save(model.state_dict(), "dishes.pt")


if __name__ == "__main__":
    main()
