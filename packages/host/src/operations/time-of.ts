// A time as the API tells it.

export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
