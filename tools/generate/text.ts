/** "clientSecret" as part of a type's name: "ClientSecret". */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
