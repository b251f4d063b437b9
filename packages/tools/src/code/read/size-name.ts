const units = ["B", "KB", "MB", "GB", "TB"];

/** Bytes as people say them: "812 B", "1.2 KB", "45 MB". */
export function sizeName(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size >= 10 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
