"""Feed TFRecords of EuroSAT into a PyTorch network."""
import tensorflow as tf
import torch
import torchvision

tf.config.set_visible_devices([], "GPU")


def chw(record):
    ex = tf.io.parse_single_example(record, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    image = tf.io.decode_jpeg(ex["image"], channels=3)
    image = tf.image.resize(image, [64, 64]) / 255.0
    return tf.transpose(image, [2, 0, 1]), ex["label"]


class TorchBatches:
    def __init__(self, pattern, batch_size):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000).map(chw, num_parallel_calls=tf.data.AUTOTUNE)
        self.ds = ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    def __iter__(self):
        for images, labels in self.ds.as_numpy_iterator():
            images = torch.from_numpy(images).cuda(non_blocking=True)
            images = images.contiguous(memory_format=torch.channels_last)
            yield images, torch.from_numpy(labels).cuda(non_blocking=True)


def main():
    model = torchvision.models.resnet18(num_classes=10).cuda()
    model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    scaler = torch.cuda.amp.GradScaler()
    for epoch in range(30):
        for images, labels in TorchBatches("/data/eurosat/train-*.tfrecord", 256):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
