// Messages that the person sends while a turn is running. A steering message interrupts after the running tool; a
// follow-up waits until the model is done.

export class Inbox {
  private readonly steering: string[] = [];
  private readonly following: string[] = [];

  steer(text: string): void {
    this.steering.push(text);
  }

  followUp(text: string): void {
    this.following.push(text);
  }

  get hasSteering(): boolean {
    return this.steering.length > 0;
  }

  takeSteering(): string[] {
    return this.steering.splice(0);
  }

  takeFollowUp(): string | undefined {
    return this.following.shift();
  }
}
