// When something was, as one would say it now.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function timeText(time: string, now: number): string {
  const ago = now - Date.parse(time);
  if (ago < minute) return "just now";
  if (ago < hour) return some(ago / minute, "minute");
  if (ago < day) return some(ago / hour, "hour");
  if (ago < 14 * day) return some(ago / day, "day");
  return time.slice(0, 10);
}

function some(count: number, unit: string): string {
  const whole = Math.floor(count);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}
