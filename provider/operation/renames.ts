/** Which names the updates of one operation give to which objects, as far as their diffs have shown. */
export class Renames {
  private readonly news = new Map<string, string>();

  /**
   * Records that an object gets another name.
   *
   * @param scope what the names are unique in
   * @returns the names of the circle that this closes, in which each object gets the name of the next; undefined if there is none
   */
  record(scope: string, from: string, to: string): readonly string[] | undefined {
    const key = (name: string) => JSON.stringify([scope, name]);
    this.news.set(key(from), to);
    const names = [from];
    for (let name: string | undefined = to; name !== from; name = this.news.get(key(name))) {
      if (name === undefined || names.includes(name)) return undefined;
      names.push(name);
    }
    return names;
  }
}
