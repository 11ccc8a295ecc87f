/** Pictures as maps, through the browser's own decoder. */
import type { Cells, ImageReading } from "./protocol";

/** Reads PNG, JPEG and whatever else the browser shows. Larger pictures are scaled down to `largest` cells a side. */
export async function readImage(bytes: Uint8Array, reading: ImageReading, largest: number): Promise<Cells> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), { colorSpaceConversion: "none" });
  } catch {
    throw new Error("this is neither a MovingAI map, nor a weight image, nor a picture the browser can show");
  }
  const scale = Math.min(1, largest / Math.max(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("the browser gives no canvas to read the picture with");
  // What is transparent shows the ground, which is light.
  context.fillStyle = reading.as === "walls" ? "white" : "black";
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const weights = new Uint8Array(width * height);
  for (let index = 0; index < weights.length; index++) {
    const [red, green, blue] = [data[4 * index], data[4 * index + 1], data[4 * index + 2]];
    // Grey pixels keep their exact value; colours count by how bright they look (ITU-R BT.601).
    const grey = red === green && green === blue ? red : Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    weights[index] = reading.as === "weights" ? grey : grey < reading.threshold ? 0 : 1;
  }
  return { width, height, weights };
}
